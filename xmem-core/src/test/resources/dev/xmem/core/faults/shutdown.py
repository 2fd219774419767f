"""Shuts an ext4 file system down as a power cut would: EXT4_IOC_SHUTDOWN without a flush of its journal."""
import fcntl
import os
import struct
import sys

EXT4_IOC_SHUTDOWN = 0x8004587D  # _IOR('X', 125, __u32)
NOLOGFLUSH = 2

folder = os.open(sys.argv[1], os.O_RDONLY)
try:
    fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, struct.pack("I", NOLOGFLUSH))
finally:
    os.close(folder)
