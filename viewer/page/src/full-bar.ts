import { element } from './element.ts'
import type { FullSwitches } from './full-switches.ts'
import type { PresentationState } from './presentation-state.ts'
import { texts } from './texts.ts'

/**
 * The line below the full viewer: what the viewer is for, remarks about the images shown, and switches of what lies over
 * them. Switches stand there only where there is something to switch.
 */
export function createFullBar(): { root: HTMLElement; switches: FullSwitches } {
  const remarks = element('span', { class: 'undrawn', role: 'status' })
  const overlays = element('button', { type: 'button', class: 'bar-tool', 'aria-pressed': 'true' }, texts.overlays)
  const states = element('select', { class: 'bar-tool', 'aria-label': texts.presentation })
  let listed: readonly PresentationState[] = []
  overlays.hidden = states.hidden = true
  const switches: FullSwitches = {
    isOn: true,
    state: undefined,
    onTurned: () => undefined,
    onShown: (shown) => {
      overlays.hidden = !shown.hasLayers
      remarks.textContent = shown.remarks.join(' ')
      const isSame = listed.length === shown.states.length && shown.states.every((state, at) => state === listed[at])
      if (isSame) return
      listed = shown.states
      states.hidden = listed.length === 0
      states.replaceChildren(
        element('option', {}, texts.presentationOwn),
        ...listed.map(({ label }) => element('option', {}, label)),
      )
      states.selectedIndex = switches.state ? listed.indexOf(switches.state) + 1 : 0
    },
  }
  overlays.addEventListener('click', () => {
    switches.isOn = !switches.isOn
    overlays.setAttribute('aria-pressed', String(switches.isOn))
    switches.onTurned()
  })
  states.addEventListener('change', () => {
    switches.state = listed[states.selectedIndex - 1]
    switches.onTurned()
  })
  const root = element(
    'div',
    { class: 'notice full-bar' },
    element('span', {}, texts.notice),
    remarks,
    states,
    overlays,
  )
  return { root, switches }
}
