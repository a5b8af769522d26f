/**
 * Syncing files to disk occupies a thread of the pool each, and four would make every other read wait. Set before
 * anything uses the pool, so this is the first import of the program.
 */
process.env.UV_THREADPOOL_SIZE ??= '16'
