/**
 * Imported first by every program that writes data: what it makes, and what its children make, is readable by the account
 * it runs as and nobody else. Not by the build, which another account may be the one to run.
 */
process.umask(0o077);
