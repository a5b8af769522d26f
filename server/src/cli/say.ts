// A reader that stops early (`| head`) stops nothing: what was begun is finished, and the exit code tells how it went.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/** One line for the person at the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
