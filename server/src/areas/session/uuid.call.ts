import { randomUUID } from 'node:crypto'
import type { sessionUuid } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'

export const uuid: Handler<typeof sessionUuid> = async () => ({ uuid: randomUUID() })
