import type { studyCount } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { findAlternatives } from '../filter/search-alternatives.command.ts'
import { askStudies } from './study-question.ts'
import { countStudies } from './study-list.sql.ts'

export const count: Handler<typeof studyCount> = async ({ services, input, list, caller, on }) => ({
  count: await countStudies(
    services.db,
    askStudies(on, caller, list, await findAlternatives(services.db, caller, list)),
    input.cap,
  ),
})
