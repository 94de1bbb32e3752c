// Where in the image a pixel of the canvas is read.
uniform mat3 sourceMap;  // from canvas pixels (with WARP: from its results, 0…1) to samples of the image
#ifdef WARP
uniform mat3 warpMap;    // from canvas pixels to the warp's positions, 0…1

vec2 locate(vec2 p) { return (sourceMap * vec3(WARP((warpMap * vec3(p, 1.0)).xy), 1.0)).xy; }
#else
vec2 locate(vec2 p) { return (sourceMap * vec3(p, 1.0)).xy; }
#endif
