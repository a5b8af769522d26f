import { expect, test } from 'vitest'

/** The code of the client, by its path. */
const code: Record<string, string> = import.meta.glob(['./**/*.{ts,tsx}', '!./**/*.d.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('[CONST-04] the client logs from warnings on, and nothing less', () => {
  const written = Object.entries(code)
    .filter(([path]) => !path.includes('.test.'))
    .flatMap(([path, text]) => [...text.matchAll(/console\s*\.\s*(\w+)/g)].map(([, level]) => [path, level]))
  expect(written.length).toBeGreaterThan(0)
  expect(written.filter(([, level]) => level !== 'warn' && level !== 'error')).toEqual([])
})
