"""What `bench_service.py` measures, part by part."""
