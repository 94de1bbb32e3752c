// Re-exported, so that an app needs only `import PipCompose`. Swift has no official attribute for this yet.
@_exported public import PipCapture
@_exported public import PipConcurrency
@_exported public import PipDisplay
@_exported public import PipEffects
@_exported public import PipFrames
@_exported public import PipGL
@_exported public import PipGraph
@_exported public import PipPlan
@_exported public import PipPressure
@_exported public import PipSinks
@_exported public import PipSound
@_exported public import PipSources
@_exported public import PipVirtualCamera
