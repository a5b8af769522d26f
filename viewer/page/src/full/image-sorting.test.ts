import { describe, expect, it } from 'vitest'
import { compareImages } from './image-sorting.ts'

describe('the order of images in the full viewer', () => {
  const axial = ['1', '0', '0', '0', '1', '0']
  const slice = (InstanceNumber: number, z: string, ImageOrientationPatient = axial) => ({
    InstanceNumber,
    ImagePositionPatient: ['0', '0', z],
    ImageOrientationPatient,
  })
  const order = (...instances: Parameters<typeof compareImages>[0][]) =>
    instances.toSorted(compareImages).map(({ InstanceNumber }) => InstanceNumber)

  it('is that of the quick viewer: by place along the normal, else by number', () => {
    expect(order(slice(1, '30'), slice(2, '-10'), slice(3, '0'))).toEqual([2, 3, 1])
    expect(order({ InstanceNumber: 3 }, { InstanceNumber: 1 }, { InstanceNumber: 2 })).toEqual([1, 2, 3])
    expect(order(slice(2, '0', ['0', '1', '0', '0', '0', '1']), slice(1, '50'))).toEqual([1, 2])
    expect(order(slice(7, '5'), slice(4, '5'))).toEqual([4, 7])
  })
})
