// Maps a pixel of the canvas to the position at which the image is read.
uniform mat3 sourceMap;  // maps canvas pixels (with WARP: its results, 0…1) to samples of the image
#ifdef WARP
uniform mat3 warpMap;    // maps canvas pixels to the warp's positions, 0…1

vec2 locate(vec2 p) { return (sourceMap * vec3(WARP((warpMap * vec3(p, 1.0)).xy), 1.0)).xy; }
#else
vec2 locate(vec2 p) { return (sourceMap * vec3(p, 1.0)).xy; }
#endif
