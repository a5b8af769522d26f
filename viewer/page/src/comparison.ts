import { element, icon } from './element.ts'
import { exchangeWith, onPrior, type Prior, postOpenPrior } from './host-messages.ts'
import { type Anchor, type LinkedImagePlace, linkedPlace } from './linked-scroll.ts'
import { type Room, widerRoom } from './room.ts'
import { texts } from './texts.ts'

type ExamComparison = {
  /** A list of the patient's other exams, and the link between both; empty until the page around has told of some. */
  controls: HTMLElement
  /** The quick viewer's own image has changed. */
  setPlace: (place: LinkedImagePlace | undefined, isFollowing: boolean) => void
  setPriors: (priors: readonly Prior[]) => void
  /** The quick viewer's own tools, messages or strip have another height. */
  setRoom: (room: Room) => void
  /** The patient of the quick viewer's own exam is known. */
  setWho: (who: string) => void
  /** Takes the other exam away. @returns whether there was one */
  end: () => boolean
  /** The page around has turned light or dark. */
  setScheme: (scheme: 'light' | 'dark') => void
}

/**
 * A second quick viewer beside the first one, in a frame of its own: each has its session, its tools and its memory.
 * @param handleFollow is asked to show the image nearest to a place
 */
export function createComparison(
  host: HTMLElement,
  handlers: {
    onFollow: (place: LinkedImagePlace) => void
    onPaired: (isPaired: boolean) => void
    /** The page around names the patient of the quick viewer's exam. */
    isPatientShown: boolean
    /** Whether both exams name the patient whom the page around names, fact by fact. */
    onSamePatient: (isSame: boolean) => void
    /** The room that the quick viewer has to give its head and strip; its own where no other exam stands beside. */
    onRoom: (room: Room | undefined) => void
  },
): ExamComparison {
  let listed: readonly Prior[] = []
  let pane: { frame: HTMLIFrameElement; leave: () => void } | undefined
  let mine: LinkedImagePlace | undefined
  let theirs: LinkedImagePlace | undefined
  let anchor: Anchor | undefined
  let [myRoom, theirRoom]: [Room, Room | undefined] = [{ head: 0, strip: 0 }, undefined]
  let [myWho, theirWho]: [string | undefined, string | undefined] = [undefined, undefined]
  let isLinked = true

  const choice = element('select', { 'aria-label': texts.compare, class: 'presets exams' })
  const link = element(
    'button',
    { type: 'button', class: 'tool', 'aria-pressed': 'true', 'aria-label': texts.linked, title: texts.linkWords },
    icon('link'),
  )
  const controls = element('div', { class: 'group' }, choice, link)
  controls.hidden = link.hidden = true
  choice.addEventListener('change', () => {
    const prior = listed[choice.selectedIndex - 1]
    close()
    if (prior) postOpenPrior(prior.uuid)
  })
  link.addEventListener('click', () => {
    isLinked = !isLinked
    link.setAttribute('aria-pressed', String(isLinked))
    settleAnchor()
  })
  onPrior(({ uuid, address }) => {
    const at = listed.findIndex((prior) => prior.uuid === uuid)
    if (at < 0 || choice.selectedIndex !== at + 1) return
    if (address === undefined) {
      choice.selectedIndex = 0
      return
    }
    open(address, at)
  })

  function open(address: string, at: number): void {
    close()
    const label = listed[at]?.label ?? ''
    choice.selectedIndex = at + 1
    const frame = element('iframe', { class: 'prior-frame', title: texts.priorTitle(label), src: address })
    const leave = exchangeWith(() => frame.contentWindow, {
      onClose: () => void end(),
      onPlace: (place, isFollowing) => {
        theirs = place
        tellLink()
        // linked from the beginning: the other exam opens beside what is shown, and takes nobody away from there
        if (!anchor && isLinked) return beginTogether()
        const wanted =
          isLinked && !isFollowing && anchor && place
            ? linkedPlace({ one: anchor.other, other: anchor.one }, place)
            : undefined
        if (wanted) handlers.onFollow(wanted)
      },
      onRoom: (room) => {
        theirRoom = room
        shareRoom()
      },
      onWho: (who) => {
        theirWho = who
        compareWho()
      },
    })
    pane = { frame, leave }
    host.append(frame)
    link.hidden = false
    handlers.onPaired(true)
  }

  function tell(message: object): void {
    pane?.frame.contentWindow?.postMessage(JSON.stringify(message), location.origin)
  }

  function close(): void {
    if (!pane) return
    pane.leave()
    pane.frame.remove()
    pane = anchor = theirs = theirRoom = theirWho = undefined
    link.hidden = true
    handlers.onPaired(false)
    handlers.onSamePatient(false)
    handlers.onRoom(undefined)
  }

  /** Both pictures have the same place in their panes, whichever has more tools, longer names or a message. */
  function shareRoom(): void {
    if (!pane) return
    const room = widerRoom(myRoom, theirRoom)
    handlers.onRoom(room)
    tell({ room })
  }

  function compareWho(): void {
    if (!pane || theirWho === undefined) return
    const isSamePatient = handlers.isPatientShown && theirWho !== '' && theirWho === myWho
    handlers.onSamePatient(isSamePatient)
    tell({ isSamePatient })
  }

  function beginTogether(): void {
    settleAnchor()
    const wanted = anchor && linkedPlace(anchor, anchor.one)
    if (wanted) tell({ follow: wanted })
  }

  function end(): boolean {
    if (!pane) return false
    choice.selectedIndex = 0
    close()
    choice.focus()
    return true
  }

  function settleAnchor(): void {
    anchor = mine && theirs ? { one: mine, other: theirs } : undefined
  }

  /** Series in other planes cannot be linked, and the button says so. */
  function tellLink(): void {
    const isApart = !mine || !theirs || linkedPlace({ one: mine, other: theirs }, mine) === undefined
    link.disabled = isApart
    link.title = isApart ? texts.linkApart : texts.linkWords
  }

  return {
    controls,
    end,
    setPriors: (priors) => {
      listed = priors
      controls.hidden = priors.length === 0
      choice.replaceChildren(
        element('option', {}, texts.compareShort),
        ...priors.map(({ label }) => element('option', {}, label)),
      )
    },
    setPlace: (place, isFollowing) => {
      mine = place
      if (!anchor) settleAnchor()
      tellLink()
      const wanted = isLinked && !isFollowing && anchor && place ? linkedPlace(anchor, place) : undefined
      if (wanted) tell({ follow: wanted })
    },
    setWho: (who) => {
      myWho = who
      compareWho()
    },
    setRoom: (room) => {
      myRoom = room
      shareRoom()
    },
    setScheme: (scheme) => tell({ scheme }),
  }
}
