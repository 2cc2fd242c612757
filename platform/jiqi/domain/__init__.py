"""Pure rules of the platform: standard library only, time and randomness come in as arguments."""
