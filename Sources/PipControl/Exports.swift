#if Control
// Who makes a panel makes the composition of a configuration, which is all of PipRig that is public.
@_exported public import PipRig
#endif
