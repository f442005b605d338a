"""Text as people wrote it: an instruction's passages, and characters that look like others or like nothing."""
