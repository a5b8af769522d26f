import { execFile } from 'node:child_process'
import { clockToleranceSeconds, findClockOffset } from './areas/installation/clock.sql.ts'
import type { Services } from './services.ts'

const askMs = 5_000

/** Tells the log of a clock that nobody keeps right, and of one that is not the database's. Nothing is refused for it. */
export async function tellOfClock({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  if ((await isClockSynchronised()) === false) log.warn({ event: 'clock not synchronised' })
  const seconds = await findClockOffset(db)
  if (Math.abs(seconds) > clockToleranceSeconds)
    log.error({
      event: 'clocks differ',
      seconds: Math.round(seconds),
    })
}

/** Undefined where the system does not tell, in a container for the most part. */
function isClockSynchronised(): Promise<boolean | undefined> {
  return new Promise((done) => {
    execFile('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: askMs }, (error, said) => {
      const answer = error === null ? said.trim() : ''
      done(answer === 'yes' ? true : answer === 'no' ? false : undefined)
    })
  })
}
