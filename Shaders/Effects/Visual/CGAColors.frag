vec4 EFFECT(vec4 color, vec2 position)
{
    const vec3 colors[4] = vec3[](vec3(0.0), vec3(1.0), vec3(1.0 / 3.0, 1.0, 1.0), vec3(1.0, 1.0 / 3.0, 1.0));
    vec3 nearest = colors[0];
    for (int i = 1; i < 4; i++)
        if (distance(color.rgb, colors[i]) < distance(color.rgb, nearest))
            nearest = colors[i];
    return vec4(nearest, color.a);
}
