import type { auditCheckGet } from '@hilum/contract/calls/audit'
import type { Handler } from '../handler.ts'
import { presentCheck } from './audit-check.presenter.ts'
import { findCheck } from './audit-check.sql.ts'

export const checkGet: Handler<typeof auditCheckGet> = async ({ services, on }) =>
  presentCheck(await findCheck(services.db, on.accountUuid))
