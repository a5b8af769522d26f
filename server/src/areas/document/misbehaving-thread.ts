import { answerThread } from './in-thread.ts'

/** Does what a hostile document might bring its reader to; the tests of the limits run it. */
await answerThread(async function* ({ act }: { act: string }) {
  yield 'first'
  if (act === 'hang') for (;;);
  if (act === 'exit') process.exit(3)
  if (act === 'throw')
    setImmediate(() => {
      throw new Error('thrown beside')
    })
  if (act === 'fail') throw new Error('patient DOE^JANE is in this text')
  if (act === 'eat') {
    const held: object[] = []
    for (;;) held.push(Array.from({ length: 1000 }, (_, at) => ({ at })))
  }
  if (act === 'print') {
    process.stdout.write('printed')
    process.stderr.write(JSON.stringify(process.env))
  }
  if (act === 'throw') await new Promise(() => undefined)
  yield 'second'
})
