import type { studyManualRoute } from '@hilum/contract/calls/study-acts'
import type { Handler } from '../handler.ts'

/** Studies list no routes yet (docs/later.md), so none can match; a client learns that in the wire's own word. */
export const manualRoute: Handler<typeof studyManualRoute> = ({ fail }) => Promise.reject(fail('ROUTE_NOT_MATCHED'))
