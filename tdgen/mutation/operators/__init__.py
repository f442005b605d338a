"""What can be changed, by kind: each operator takes a live node and gives the changes it knows of, unordered."""
