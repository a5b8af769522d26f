import {
  Enums as ToolEnums,
  LengthTool,
  PanTool,
  ToolGroupManager,
  WindowLevelTool,
  ZoomTool,
} from '@cornerstonejs/tools'

export type ToolName = 'adjust' | 'pan' | 'zoom' | 'measure'

const TOOLS = { adjust: WindowLevelTool, pan: PanTool, zoom: ZoomTool, measure: LengthTool }
const { MouseBindings } = ToolEnums

export function createTools() {
  const group = ToolGroupManager.createToolGroup('quick')
  if (group === undefined) throw new Error('The tools are there already')
  for (const tool of Object.values(TOOLS)) group.addTool(tool.toolName)
  activate(group, 'adjust')
  return group
}

type ToolGroup = ReturnType<typeof createTools>

/** The left button belongs to the chosen tool; middle pans, right zooms, two fingers zoom, always. */
export function activate(group: ToolGroup, tool: ToolName): void {
  for (const other of Object.values(TOOLS)) group.setToolPassive(other.toolName, { removeAllBindings: true })
  const bindings = {
    adjust: [],
    pan: [{ mouseButton: MouseBindings.Auxiliary }],
    zoom: [{ mouseButton: MouseBindings.Secondary }, { numTouchPoints: 2 }],
    measure: [],
  }
  for (const name of ['pan', 'zoom', tool] as const) {
    const chosen = name === tool ? [{ mouseButton: MouseBindings.Primary }] : []
    group.setToolActive(TOOLS[name].toolName, { bindings: [...bindings[name], ...chosen] })
  }
}
