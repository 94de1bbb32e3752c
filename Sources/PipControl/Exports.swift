#if Control
// Apps that create a panel also create a composition, so they need the public part of PipRig.
@_exported public import PipRig
#endif
