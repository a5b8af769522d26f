import { createServer } from 'node:net'
import { Pool } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { assertDatabaseFits } from './database-fitness.ts'

it('a database that does not answer is named as the reason, without the password of its address', async () => {
  const port = await findClosedPort()
  const pool = new Pool({ connectionString: `postgresql://hilum:very-secret@127.0.0.1:${port}/hilum` })
  onTestFinished(() => pool.end())
  const words = `The database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`
  await expect(assertDatabaseFits(pool)).rejects.toThrow(words)
})

it('a host name with several addresses that do not answer has each as a reason', async () => {
  const refused = new AggregateError([
    new Error('connect ECONNREFUSED ::1:5432'),
    new Error('connect ECONNREFUSED 127.0.0.1:5432'),
  ])
  const words = 'The database cannot be reached: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432.'
  await expect(assertDatabaseFits({ query: () => Promise.reject(refused) })).rejects.toThrow(words)
})

function findClosedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const bound = probe.address()
      probe.close(() => (typeof bound === 'object' && bound ? resolve(bound.port) : reject(new Error('no port'))))
    })
  })
}
