/** OHIF's tools by their names in its menus. */
const TOOLS: Readonly<Record<string, string>> = {
  Angle: 'Angle',
  ArrowAnnotate: 'Annotation',
  Bidirectional: 'Bidirectional',
  CircleROI: 'Circle',
  CobbAngle: 'Cobb angle',
  EllipticalROI: 'Ellipse',
  Length: 'Length',
  LivewireContour: 'Livewire',
  PlanarFreehandROI: 'Freehand',
  Probe: 'Probe',
  RectangleROI: 'Rectangle',
  SplineROI: 'Spline',
  UltrasoundDirectionalTool: 'Ultrasound direction',
  UltrasoundPleuraBLineTool: 'Pleura and B-lines',
}

/** The name of a measurement that nobody named: its kind. Its number stands before it in the list. */
export function measurementNameOf({ toolName = '' }: { toolName?: string }): string {
  return TOOLS[toolName] ?? 'Measurement'
}
