"""Hosts that run kernels: Docker containers or plain processes."""
