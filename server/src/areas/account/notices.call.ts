import type { accountNotices } from '@hilum/contract/calls/account'
import type { Handler } from '../handler.ts'
import { findNotices } from '../installation/find-notices.command.ts'

export const notices: Handler<typeof accountNotices> = async ({ services, on }) => {
  const { codes, facts, mails, failingRules } = await findNotices(services, on.ownerUuid)
  return { notices: codes.map((code) => ({ code, ...facts, failed_mails: mails.count, failing_rules: failingRules })) }
}
