import { ConfigError } from './config.ts'

/**
 * Whether `--empty` was asked for. Anything else is refused: a misspelt `--empty` would make a demo organisation where
 * patients' images are to be kept.
 * @throws ConfigError naming what is not an option
 */
export function isWithoutDemo(args: readonly string[]): boolean {
  const unknown = args.filter((arg) => arg !== '--empty')
  if (unknown.length > 0) throw new ConfigError(`Not an option: ${unknown.join(' ')}. The only one is --empty.`)
  return args.length > 0
}
