import type { locationAdd } from '@hilum/contract/calls/location'
import { addPlace } from './add-place.command.ts'
import type { Handler } from '../handler.ts'

export const add: Handler<typeof locationAdd> = (request) => addPlace(request, 'location')
