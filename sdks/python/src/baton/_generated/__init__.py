"""What was generated from the description of the API; see tools/generate.py."""
