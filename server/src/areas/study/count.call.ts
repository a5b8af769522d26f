import type { studyCount } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { prepareStudyQuestion } from './study-question.command.ts'
import { countStudies } from './study-list.sql.ts'

export const count: Handler<typeof studyCount> = async ({ services, input, list, caller, on }) => ({
  count: await countStudies(services.db, await prepareStudyQuestion(services.db, on, caller, list), input.cap),
})
