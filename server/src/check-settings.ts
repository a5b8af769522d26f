/** Names all settings that cannot be used, and ends with 1 then: `npm start` asks before it builds the web app. */
import { ConfigError, readConfig } from './config.ts'

try {
  readConfig()
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
