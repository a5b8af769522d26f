import { expect, test } from 'vitest'
import { runTexts } from './run-words.ts'

const actions = [{ kind: 'webhook', name: 'RIS', result: 'done' }]

test('says why a run waits beside the actions that it has done already', () => {
  const [outcome, ...done] = runTexts({ state: 'waiting', reason: 'AWAITS_APPROVAL', detail: { actions } })
  expect(outcome).toContain('the study waits for approval')
  expect(done).toEqual(['Webhook RIS called'])
})

test('says why a run failed with its actions', () => {
  const failed = [{ kind: 'namespace', name: 'Ward', result: 'failed', reason: 'TARGET_GONE' }]
  const [outcome, why] = runTexts({ state: 'failed', reason: 'ACTION_FAILED', detail: { actions: failed } })
  expect(outcome).toBe('Failed')
  expect(why).toContain('Ward')
})
