import { DeflatedLittleEndian, ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { expect, test } from 'vitest'
import { openedInTurn } from './opened-in-turn.ts'

/** Starts ten pieces of work that end together, and says how many of them had begun before that. */
async function begunAtOnce(transferSyntax: string): Promise<number> {
  const end = Promise.withResolvers<void>()
  let begun = 0
  const all = Array.from({ length: 10 }, () =>
    openedInTurn({ transfer_syntax: transferSyntax }, async () => {
      begun += 1
      await end.promise
    }),
  )
  // once all promises are settled, all work that may begin has begun
  await new Promise((resolve) => setImmediate(resolve))
  const atOnce = begun
  end.resolve()
  await Promise.all(all)
  expect(begun).toBe(10)
  return atOnce
}

test('deflated objects are opened two at a time, others as they come', async () => {
  expect(await begunAtOnce(DeflatedLittleEndian)).toBe(2)
  expect(await begunAtOnce(ExplicitLittleEndian)).toBe(10)
})
