"""Use cases: each takes ports, decides by the domain, and keeps no framework."""
