/**
 * Import first in programs that write data: their files are readable by the current user only. Not for the build, which another user may
 * run.
 */
process.umask(0o077);
