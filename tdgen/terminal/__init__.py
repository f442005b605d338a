"""What people are told at a terminal: results and lines on their way out, and how a run stands while it goes on."""
