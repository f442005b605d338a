"""Python source read and edited without being run."""
