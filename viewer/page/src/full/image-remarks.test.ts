import { describe, expect, it } from 'vitest'
import { readPresentationStates, type Presentation } from '../presentation-state.ts'
import { texts } from '../texts.ts'
import { fitPresentation } from './fit-presentation.ts'
import { remarksOn } from './image-remarks.ts'
import { listStates } from './viewport-layers.ts'

describe('remarks on an image of the full viewer', () => {
  const drawn = { isWhole: true, isChosen: false, areTablesDrawn: true, isPartLeftOut: false, isStretched: false }

  it('tell each way in which the picture is not as it was stored or chosen', () => {
    expect(remarksOn(drawn)).toEqual([])
    expect(remarksOn({ ...drawn, areTablesDrawn: false })).toEqual([texts.tableNotDrawn])
    expect(remarksOn({ ...drawn, isChosen: true, isPartLeftOut: true })).toEqual([texts.presentationPartly])
    expect(remarksOn({ ...drawn, isWhole: false, isStretched: true })).toEqual([
      texts.layersUnread,
      texts.layersNotPlaced,
    ])
  })
})

describe('a presentation on the picture that is drawn', () => {
  const presentation = {
    window: { lower: 10_000, upper: 20_000 },
    area: { left: 0, top: 0, right: 2, bottom: 2 },
    rotation: 90,
  } as Presentation
  const picture = { width: 4, height: 4, color: false }
  const instance = { Rows: 4, Columns: 4 }
  const uptake = (suvbw: number) => ({
    ...picture,
    preScale: { enabled: true, scaled: true, scalingParameters: { suvbw } },
  })

  it('keeps its window where the values are those of the stored rescale', () => {
    expect(fitPresentation(presentation, picture, instance)).toEqual({ presentation, isPartLeftOut: false })
    expect(fitPresentation(presentation, uptake(0), instance).isPartLeftOut).toBe(false)
    expect(fitPresentation(undefined, uptake(0.0002), instance)).toEqual({
      presentation: undefined,
      isPartLeftOut: false,
    })
  })

  it.each([
    ['uptake values', uptake(0.0002)],
    ['colours of the server', { ...picture, color: true }],
  ])('leaves out its window before %s', (_name, drawn) => {
    const fitted = fitPresentation(presentation, drawn, instance)
    expect(fitted).toEqual({ presentation: { ...presentation, window: undefined }, isPartLeftOut: true })
  })

  it('leaves out its area where the picture has other pixels', () => {
    const fitted = fitPresentation(presentation, { ...picture, height: 8 }, instance)
    expect(fitted).toEqual({ presentation: { ...presentation, area: undefined }, isPartLeftOut: true })
  })
})

describe('the list of presentation states', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((label) => {
    const values = { '00080016': '1.2.840.10008.5.1.4.1.1.11.1', '00080018': `1.${label}`, '00700081': label }
    const instance = Object.fromEntries(Object.entries(values).map(([tag, value]) => [tag, { vr: '', Value: [value] }]))
    return readPresentationStates([instance]).at(0)
  })

  it('stands in one order, whichever is chosen, and has the chosen one where no image shows it', () => {
    if (!a || !b || !c) throw new Error('a state was not read')
    for (const chosen of [undefined, a, b, c]) expect(listStates([c, a, b], chosen)).toEqual([a, b, c])
    expect(listStates([a, b], c)).toEqual([a, b, c])
    const readAgain = { ...b }
    expect(listStates([a, readAgain], b)[1]).toBe(b)
  })
})
