"""The benches: each prints one JSON object as its last line and exits 0."""
