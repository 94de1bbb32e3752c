uniform vec3 PREFIX(sides);
uniform vec2 PREFIX(dots);  // distance between dots, rotation

// A screen of dots: the value above which a place is light.
float PREFIX(screen)(vec2 place, float angle)
{
    vec2 turned = vec2(cos(angle) * place.x + sin(angle) * place.y, cos(angle) * place.y - sin(angle) * place.x);
    vec2 wave = cos(6.2831853 / PREFIX(dots).x * turned);
    return 0.5 + 0.25 * (wave.x + wave.y);
}

vec4 EFFECT(vec4 color, vec2 position)
{
    vec2 place = position * PREFIX(sides).xy;
    float turn = 0.52359878;  // 30°
    vec3 screens = vec3(PREFIX(screen)(place, PREFIX(dots).y - turn), PREFIX(screen)(place, PREFIX(dots).y + turn),
                        PREFIX(screen)(place, PREFIX(dots).y));
    return vec4(clamp((color.rgb - screens) * PREFIX(dots).x / PREFIX(sides).z + 0.5, 0.0, 1.0), color.a);
}
