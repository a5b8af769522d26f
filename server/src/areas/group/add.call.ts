import type { groupAdd } from '@hilum/contract/calls/group'
import type { Handler } from '../handler.ts'
import { addPlace } from '../location/add-place.command.ts'

export const add: Handler<typeof groupAdd> = (request) => addPlace(request, 'group')
