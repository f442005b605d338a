"""Libraries of the package index as projects, whose functions lose their bodies and get them back."""
