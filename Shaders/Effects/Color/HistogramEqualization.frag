uniform sampler2D PREFIX(table);
uniform vec3 PREFIX(luma);  // weights of red, green and blue, in parts of 65536
uniform vec2 PREFIX(how);   // strength; 1 to equalize red, green and blue separately

vec4 EFFECT(vec4 color, vec2 position)
{
    ivec3 codes = ivec3(clamp(color.rgb, 0.0, 1.0) * 255.0 + 0.5);
    int luma = int((dot(vec3(codes), PREFIX(luma)) + 32768.0) / 65536.0);
    vec3 change = vec3(texelFetch(PREFIX(table), ivec2(luma, 0), 0).a - float(luma) / 255.0);
    if (PREFIX(how).y > 0.5)
        change = vec3(texelFetch(PREFIX(table), ivec2(codes.r, 0), 0).r, texelFetch(PREFIX(table), ivec2(codes.g, 0), 0).g,
                      texelFetch(PREFIX(table), ivec2(codes.b, 0), 0).b) - vec3(codes) / 255.0;
    return vec4(clamp(color.rgb + change * PREFIX(how).x, 0.0, 1.0), color.a);
}
