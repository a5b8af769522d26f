import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { alarms, notes } from './log-events.ts'

const sources = import.meta.dirname
const names = [...Object.keys(alarms), ...Object.keys(notes)]
const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('log-events.ts'))
  .map((name) => ({ name, text: readFileSync(join(sources, name), 'utf8') }))

it('lists every event of the log in docs/log.md, in the order of their names', async () => {
  const rows = Object.entries(alarms).map(([event, { level, advice }]) => {
    const at = level === 'either' ? 'warn, error' : level
    return `| \`${event}\` | ${at} | ${advice} |`
  })
  const told = Object.entries(notes).map(([event, words]) => `| \`${event}\` | ${words} |`)
  // after a change of the tables: vitest run --update
  await expect(`# Events of the log

Each line is one JSON object with \`time\`, \`level\`, \`event\` and what belongs to the event; from \`warn\` up it holds \`advice\`, where no other is given that of this page. Set alarms on \`event\`: names stay as they are. [Running Hilum](deploy.md) says how the log is kept, and which figures tell the same.

## What somebody may have to do

| Event | Level | Advice |
| --- | --- | --- |
${rows.join('\n')}

## What is told besides, with \`HILUM_LOG_LEVEL=info\` or \`debug\`

| Event | What |
| --- | --- |
${told.join('\n')}
`).toMatchFileSnapshot('../../docs/log.md')
})

it('knows no event that nothing writes', () => {
  const isWritten = (name: string) =>
    texts.some(({ text }) => text.includes(`'${name}'`) || text.includes(`'${name.replace(/^database /, '')}'`))
  expect(names.filter((name) => !isWritten(name))).toEqual([])
})

it('has no line of a request written past the table', () => {
  expect(texts.filter(({ text }) => /\b(request|reply|app)\.log\.\w+\(/.test(text))).toEqual([])
})

it('says what to do in a sentence', () => {
  for (const { advice } of Object.values(alarms)) expect(advice).toMatch(/^\p{L}.*\.$/su)
})
