/** One line for the person at the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
