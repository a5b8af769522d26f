import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('who reads no further, as head does, stops nothing: the command ends with its own code', async () => {
  const module = join(import.meta.dirname, 'say.ts')
  const script = `
    import { say } from ${JSON.stringify(module)}
    say('first')
    await new Promise((resolve) => process.stdin.once('end', resolve).resume())
    for (let line = 0; line < 10; line++) {
      say('more')
      await new Promise((resolve) => setImmediate(resolve))
    }
    process.exitCode = 3`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await once(child.stdout, 'close')
  child.stdin.end()
  const [code] = (await once(child, 'close')) as [number]
  expect([code, complaint]).toEqual([3, ''])
})
