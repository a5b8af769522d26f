import type { JobOptions, RenderPool } from '@hilum/dicom/render/pool'
import { actorOf } from '../../access/caller.ts'
import type { Services } from '../../services.ts'

/** The same services, whose pictures are drawn in the caller's turn: whoever asks for hundreds keeps no other waiting. */
export function inTurnOf(services: Services, asker: Parameters<typeof actorOf>[0]): Services {
  const owner = actorOf(asker)
  const { render } = services
  const own = (options?: JobOptions): JobOptions => ({ owner, ...options })
  const inTurn: RenderPool = {
    thumbnail: (request, options) => render.thumbnail(request, own(options)),
    frame: (request, options) => render.frame(request, own(options)),
    transcode: (request, options) => render.transcode(request, own(options)),
    fragments: (request, options) => render.fragments(request, own(options)),
    headerJson: (request, options) => render.headerJson(request, own(options)),
    compare: (request, options) => render.compare(request, own(options)),
    get waiting() {
      return render.waiting
    },
    close: () => render.close(),
  }
  return { ...services, render: inTurn }
}
