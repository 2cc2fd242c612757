"""Files of homes on a local disk, safe against links and races made by the code that runs in them."""

from jiqi.adapters.files.beneath import best_opener, open_by_kernel, open_by_walking
from jiqi.adapters.files.home import HomeFiles

__all__ = ["HomeFiles", "best_opener", "open_by_kernel", "open_by_walking"]
