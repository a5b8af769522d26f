/** Work that waits for longer beyond its time waits too long: workers take what is due within seconds. */
export const lateMinutes = 10
