"""What a prompt is made of: the templates of the stages, and what every prompt about a function begins with."""
