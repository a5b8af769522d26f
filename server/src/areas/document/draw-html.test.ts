import { describe, expect, test } from 'vitest'
import { isHtml } from './draw-html.ts'

describe('isHtml', () => {
  test('a file is HTML behind comments, and white space, and a declaration', () => {
    const opening = '\ufeff<?xml version="1.0"?>\n<!-- one --><!-- two\n-- - > -->  <HTML lang="en">'
    expect(isHtml('report', Buffer.from(opening))).toBe(true)
    expect(isHtml('report', Buffer.from('<!-- <html> -->text'))).toBe(false)
  })

  test('many comments and nothing behind them cost no more than reading them', () => {
    // with a way for each comment to end at any later one, this would take hours
    expect(isHtml('report', Buffer.from(`${'<!---->'.repeat(36)}text`))).toBe(false)
  }, 5000)
})
