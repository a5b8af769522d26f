import { expect, test } from 'vitest'
import { isAccountSetting, isIssuer, linkLimitsOf, maxLogoLength } from './account-settings.ts'
import { linkMinutes, maxLinkMinutes } from './limits.ts'

test.each([
  ['help_address', 'help@clinic.example', true],
  ['help_address', 'https://clinic.example/help?x=1', true],
  ['help_address', 'javascript:alert(1)', false],
  ['help_address', 'call us', false],
  ['other_issuers', 'HIS', true],
  ['other_issuers', 'HIS, Klinikum Nord', true],
  ['other_issuers', 'HIS,', false],
  ['other_issuers', 'HIS^1.2.3^ISO', false],
  ['link_minutes', '60', true],
  ['link_minutes', '0', false],
  ['link_minutes', '-5', false],
  ['link_most_minutes', String(maxLinkMinutes + 1), false],
  ['brand_logo', 'data:image/png;base64,iVBORw0KGgo=', true],
  ['brand_logo', 'data:image/svg+xml;base64,PHN2Zz4=', false],
  ['brand_logo', 'https://elsewhere.example/logo.png', false],
  ['brand_logo', `data:image/png;base64,${'A'.repeat(maxLogoLength)}`, false],
  ['brand_color', '#2f6fb0', true],
  ['brand_color', 'red;background:url(x)', false],
  ['tag_colors', 'ER=red\nResearch=blue', true],
  ['tag_colors', 'ER=#ff0000', false],
  ['allow_copies', '1', true],
  ['allow_copies', 'yes', false],
  ['inbox_allow_switch_between_modes', '1', true],
  ['inbox_allow_switch_between_modes', 'yes', false],
  ['first_steps', 'dismissed', true],
  ['first_steps', 'later', false],
  ['help_address', '', true],
] as const)('%s takes %s: %s', (name, value, isTaken) => {
  expect(isAccountSetting(name, value)).toBe(isTaken)
})

test('an assigning authority is a short text without signs that part values', () => {
  expect(['NORTH', 'Klinikum Süd 1', 'x'.repeat(64)].map(isIssuer)).toEqual([true, true, true])
  expect(['', 'x'.repeat(65), 'A^B', 'A\\B', 'A|B', 'A&B', 'A~B', 'A\nB'].some(isIssuer)).toBe(false)
})

test('links live as long as the account says, and never longer than its cap', () => {
  expect(linkLimitsOf({})).toEqual({ minutes: linkMinutes, most: maxLinkMinutes })
  expect(linkLimitsOf({ link_minutes: '60' })).toEqual({ minutes: 60, most: maxLinkMinutes })
  expect(linkLimitsOf({ link_most_minutes: '1440' })).toEqual({ minutes: 1440, most: 1440 })
  expect(linkLimitsOf({ link_minutes: 'x', link_most_minutes: '0' })).toEqual({
    minutes: linkMinutes,
    most: maxLinkMinutes,
  })
})
