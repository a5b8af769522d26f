import { describe, expect, it } from 'vitest'
import { OHIF_APP_CONFIG } from './ohif-pages.ts'

interface Instance {
  InstanceNumber: number
  ImageOrientationPatient?: string[]
  ImagePositionPatient?: string[]
}
interface AppConfig {
  customizationService: {
    instanceSortingCriteria: {
      $set: { sortFunctions: Record<string, (a: Instance, b: Instance) => number>; defaultSortFunctionName: string }
    }
  }[]
}

/** The configuration as the full viewer's frame reads it. */
function readConfig(): AppConfig {
  const frame: { parent: unknown; config?: () => AppConfig } = {
    parent: { hilumViewer: { sid: 's', dicomWebRoot: '/d' } },
  }
  // oxlint-disable-next-line no-new-func, no-implied-eval -- it is the text of a script of our own
  new Function('window', OHIF_APP_CONFIG)(frame)
  if (!frame.config) throw new Error('The script sets no configuration')
  return frame.config()
}

describe('the order of images in the full viewer', () => {
  const axial = ['1', '0', '0', '0', '1', '0']
  const slice = (InstanceNumber: number, z: string, ImageOrientationPatient = axial): Instance => ({
    InstanceNumber,
    ImagePositionPatient: ['0', '0', z],
    ImageOrientationPatient,
  })
  const order = (...instances: Instance[]) => {
    const { sortFunctions, defaultSortFunctionName } = readConfig().customizationService[0]?.instanceSortingCriteria
      .$set ?? { sortFunctions: {}, defaultSortFunctionName: '' }
    return instances.toSorted(sortFunctions[defaultSortFunctionName]).map(({ InstanceNumber }) => InstanceNumber)
  }

  it('is that of the quick viewer: by place along the normal, else by number', () => {
    expect(order(slice(1, '30'), slice(2, '-10'), slice(3, '0'))).toEqual([2, 3, 1])
    expect(order({ InstanceNumber: 3 }, { InstanceNumber: 1 }, { InstanceNumber: 2 })).toEqual([1, 2, 3])
    expect(order(slice(2, '0', ['0', '1', '0', '0', '0', '1']), slice(1, '50'))).toEqual([1, 2])
    expect(order(slice(7, '5'), slice(4, '5'))).toEqual([4, 7])
  })
})
