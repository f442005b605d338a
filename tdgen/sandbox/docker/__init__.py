"""The docker sandbox: the same warm servers, in a container that lives as long as the sandbox.

`DockerSandbox` is the sandbox, `build_image` makes what it runs in. The docker SDK is imported where first needed.
"""

from __future__ import annotations

from tdgen.sandbox.docker.image import IMAGE, build_image
from tdgen.sandbox.docker.sandbox import DockerSandbox

__all__ = ["IMAGE", "DockerSandbox", "build_image"]
