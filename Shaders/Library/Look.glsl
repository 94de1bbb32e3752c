// The coverage of a pixel by a layer and its border. The results are premultiplied by their coverage.
#ifdef COVERAGE
uniform vec4 layerRect;    // the layer's x, y, width and height in canvas pixels
uniform float cornerRadius;
uniform float opacity;
#ifdef BORDER
uniform vec4 borderColor;  // in the colours of the target, straight alpha
uniform float borderWidth;
#endif
#ifdef SHADOW
uniform float shadowBlur;
#endif

// Distance from the edge of a rounded rectangle, negative inside.
//
// Source: Inigo Quilez, "2D distance functions", rounded box.
float edgeDistance(vec2 p)
{
    vec2 middle = layerRect.xy + 0.5 * layerRect.zw;
    vec2 q = abs(p - middle) - 0.5 * layerRect.zw + cornerRadius;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - cornerRadius;
}

float coverage(vec2 p)
{
#ifdef SHADOW
    return opacity * (1.0 - smoothstep(-shadowBlur, shadowBlur, edgeDistance(p)));
#else
    return opacity * clamp(0.5 - edgeDistance(p), 0.0, 1.0);
#endif
}

vec4 look(vec4 color, vec2 p)
{
#ifdef BORDER
    float over = borderColor.a * clamp(edgeDistance(p) + borderWidth + 0.5, 0.0, 1.0);
    float below = color.a * (1.0 - over);
    color = vec4((borderColor.rgb * over + color.rgb * below) / max(over + below, 1.0 / 1024.0), over + below);
#endif
    float alpha = color.a * coverage(p);
    return vec4(color.rgb * alpha, alpha);
}
#else
float coverage(vec2 p) { return 1.0; }
vec4 look(vec4 color, vec2 p) { return vec4(color.rgb * color.a, color.a); }
#endif
