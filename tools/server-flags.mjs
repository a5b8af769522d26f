/**
 * Node's options for the server. Its young objects get 24 MB instead of up to 96: it hands large bodies on and keeps few
 * of its own, so collecting more often costs no measurable CPU, and 500 slow readers take a third less memory.
 */
export const serverFlags = ['--max-semi-space-size=8']
